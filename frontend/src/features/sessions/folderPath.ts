// What a typed path has to be.

/** A path that says where it starts: at a root, a drive, or the user's own folder. */
export function isWholePath(path: string): boolean {
  return /^(~$|~[/\\]|[/\\]|[a-z]:[/\\])/i.test(path);
}
