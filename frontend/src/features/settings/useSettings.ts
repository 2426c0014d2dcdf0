// The host's settings, as the window sees them, and the ways to change them.

import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import type {
  Backend,
  KeyPlace,
  ProviderChoice,
  ProviderTest,
  SettingsView,
} from "../../backend/backend.ts";

export type SettingsState =
  | { readonly is: "loading" }
  | { readonly is: "failed"; readonly error: unknown }
  | { readonly is: "loaded"; readonly view: SettingsView };

/** Each may fail as the host says; what it changed is on the screen when it returns. */
export type SettingsActions = {
  readonly reload: () => void;
  readonly saveProvider: (choice: ProviderChoice) => Promise<void>;
  readonly saveKey: (provider: string, key: string) => Promise<KeyPlace>;
  readonly deleteKey: (provider: string) => Promise<void>;
  /** With a key that is not saved yet, or else with the provider's own. */
  readonly testProvider: (choice: ProviderChoice, key?: string) => Promise<ProviderTest>;
  readonly setModel: (model: string) => Promise<void>;
};

export function useSettings(backend: Backend): [SettingsState, SettingsActions] {
  const [state, setState] = useState<SettingsState>({ is: "loading" });
  const changes = useRef(0);
  const show = useCallback((view: SettingsView) => {
    changes.current += 1;
    setState({ is: "loaded", view });
  }, []);
  const actions = useMemo<SettingsActions>(() => {
    const load = async () => {
      const before = changes.current;
      const view = await backend.settings();
      if (before === changes.current) show(view);
    };
    return {
      reload: () => {
        load().catch((error: unknown) =>
          setState((it) => (it.is === "loaded" ? it : { is: "failed", error })),
        );
      },
      saveProvider: async (choice) => show(await backend.saveProvider(choice)),
      saveKey: async (provider, key) => {
        const place = await backend.saveKey(provider, key);
        await load();
        return place;
      },
      deleteKey: async (provider) => show(await backend.deleteKey(provider)),
      testProvider: (choice, key) => backend.testProvider(choice, key),
      setModel: async (model) => show(await backend.setModel(model)),
    };
  }, [backend, show]);
  useEffect(() => actions.reload(), [actions]);
  return [state, actions];
}
