const stabilities = ['alpha', 'beta'];

/** Orders versions as a server does: v2 before v1, stable before beta before alpha, anything else last by name. */
export function compareVersions(a: string, b: string): number {
  const [parsedA, parsedB] = [parse(a), parse(b)];
  if (!parsedA || !parsedB) return parsedA ? -1 : parsedB ? 1 : a < b ? -1 : 1;
  for (const [index, rank] of parsedA.entries()) {
    const difference = (parsedB[index] ?? 0) - rank;
    if (difference !== 0) return difference;
  }
  return 0;
}

/** Stability (2 is stable), major version, and the number of the beta or alpha. */
function parse(version: string): [number, number, number] | undefined {
  const match = /^v(\d+)(?:(alpha|beta)(\d+))?$/.exec(version);
  if (!match) return undefined;
  const [, major = '', stability, minor = '0'] = match;
  return [stability === undefined ? 2 : stabilities.indexOf(stability), Number(major), Number(minor)];
}
