/** The path and the query of what a request asks for. Never throws: `new URL` does for targets such as `//`. */
export function requestTarget(target = '/'): { path: string; query: URLSearchParams } {
  const [path = '/', ...query] = target.split('?');
  return { path, query: new URLSearchParams(query.join('?')) };
}
