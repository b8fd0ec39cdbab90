const part = /^(\d+(?:\.\d*)?|\.\d+)([^\d.]*)/;
const nanoseconds = new Map([
  ['ns', 1],
  ['us', 1e3],
  ['µs', 1e3],
  ['μs', 1e3],
  ['ms', 1e6],
  ['s', 1e9],
  ['m', 60e9],
  ['h', 3600e9],
]);

/** What keeps a text from being a duration, in Go's words (time.ParseDuration); nothing for one that is. */
export function durationProblem(text: string): string | undefined {
  const problem = problemOf(text);
  return problem === undefined ? undefined : `time: ${problem} duration ${JSON.stringify(text)}`;
}

function problemOf(duration: string): string | undefined {
  let rest = duration.replace(/^[-+]/, '');
  if (rest === '0') return undefined;
  let total = 0;
  do {
    const [whole = '', number = '', unit = ''] = part.exec(rest) ?? [];
    if (whole === '') return 'invalid';
    if (unit === '') return 'missing unit in';
    const factor = nanoseconds.get(unit);
    if (factor === undefined) return `unknown unit ${JSON.stringify(unit)} in`;
    total += Number(number) * factor;
    rest = rest.slice(whole.length);
  } while (rest !== '');
  return total < 2 ** 63 ? undefined : 'invalid';
}
