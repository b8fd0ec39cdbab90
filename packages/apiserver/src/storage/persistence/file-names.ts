/** All objects at a revision, and the changes after a revision. */
export type FileKind = 'checkpoint' | 'log';

export function fileName(kind: FileKind, revision: number): string {
  return `${kind}-${revision}`;
}

/** The revisions in the names of files of a kind, ascending. */
export function revisionsOf(kind: FileKind, names: readonly string[]): number[] {
  return names
    .flatMap((name) => {
      const [, found, digits] = /^(checkpoint|log)-(0|[1-9]\d{0,15})$/.exec(name) ?? [];
      return found === kind ? [Number(digits)] : [];
    })
    .toSorted((one, other) => one - other);
}

/** Whether a file belongs to a data directory, or may be in any directory. */
export function isOwnFile(name: string): boolean {
  const isOther = name.startsWith('.') || name === 'lost+found';
  return isOther || /^(?:(?:checkpoint|log)-\d+|lock-[\da-f]{8}|[a-z-]+\.pem)(?:\.tmp)?$/.test(name);
}

/** Whether a checkpoint replaces a file: older checkpoints and logs, and what was not completed. */
export function isReplaced(name: string, revision: number): boolean {
  const [, found] = /^(?:checkpoint|log)-(\d+)$/.exec(name) ?? [];
  return found === undefined ? /^checkpoint-\d+\.tmp$/.test(name) : Number(found) < revision;
}
