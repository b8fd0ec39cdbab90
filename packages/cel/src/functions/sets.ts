import type { CelResult } from '../values/cel-value.ts';
import { isError } from '../values/evaluation-error.ts';
import type { CelList } from '../values/list.ts';
import { comparesLists } from './costs.ts';
import { overload } from './overload.ts';
import type { FunctionTable } from './overload.ts';

/** The functions that treat lists as sets. */
export const sets: FunctionTable = {
  'sets.contains': [overload(['list', 'list'], contains, comparesLists(1))],
  'sets.equivalent': [
    overload(
      ['list', 'list'],
      (a, b) => {
        const result = contains(a, b);
        return result === true ? contains(b, a) : result;
      },
      comparesLists(2),
    ),
  ],
  'sets.intersects': [
    overload(
      ['list', 'list'],
      (a, b) => [...a].some((item) => !isError(item) && b.contains(item) === true),
      comparesLists(1),
    ),
  ],
};

function contains(list: CelList, part: CelList): CelResult {
  for (const item of part) {
    const contained = isError(item) ? item : list.contains(item);
    if (contained !== true) return contained;
  }
  return true;
}
