type Children = Readonly<Record<string, unknown>>;

/** Whether two JSON values of any depth are equal. */
export function deepEqual(a: unknown, b: unknown): boolean {
  const pending: [unknown, unknown][] = [[a, b]];
  for (let pair = pending.pop(); pair; pair = pending.pop()) {
    const [x, y] = pair;
    if (x === y) continue;
    if (!isParent(x) || !isParent(y) || Array.isArray(x) !== Array.isArray(y)) return false;
    const names = Object.keys(x);
    if (names.length !== Object.keys(y).length) return false;
    for (const name of names) {
      if (!Object.hasOwn(y, name)) return false;
      pending.push([x[name], y[name]]);
    }
  }
  return true;
}

function isParent(value: unknown): value is Children {
  return typeof value === 'object' && value !== null;
}
