// What is done with a session as a whole: another title, the archive, a copy, the trash.

import { type Backend, BackendError } from "../backend/backend.ts";
import type { SessionId, SessionSummary } from "../bindings.ts";
import type { Drafts } from "../features/composer/drafts.ts";
import type { Rooms } from "./useRooms.ts";

export type Keeping = {
  /** Rejects if the title cannot be kept. */
  readonly rename: (session: SessionId, title: string) => Promise<void>;
  /** Puts a session away, or takes it out again. */
  readonly archive: (session: SessionSummary) => void;
  /** Enters a copy, and says what could not be copied. */
  readonly copy: (session: SessionId) => void;
  /** Rejects if it cannot be deleted, as while a turn of it runs. */
  readonly remove: (session: SessionId) => Promise<void>;
};

export function keeping(backend: Backend, rooms: Rooms, drafts: Drafts): Keeping {
  const copy = async (session: SessionId) => {
    const { session: copied, damage } = await backend.copySession(session);
    rooms.reload();
    rooms.enter(copied);
    if (damage !== undefined && damage !== null) {
      rooms.say(new BackendError({ kind: "session_damaged", message: damage }));
    }
  };
  return {
    rename: async (session, title) => {
      await backend.renameSession(session, title);
      rooms.reload();
    },
    archive: ({ session, archived }) =>
      void backend.archiveSession(session, archived !== true).then(rooms.reload, rooms.say),
    copy: (session) => void copy(session).catch(rooms.say),
    remove: async (session) => {
      await backend.deleteSession(session);
      drafts.set(session, "");
      rooms.forget(session);
    },
  };
}
