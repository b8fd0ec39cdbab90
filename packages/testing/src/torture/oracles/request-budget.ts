import { tally } from '../reference/counts.ts';
import type { Oracle } from './oracle.ts';

/** How many kinds of requests a verdict names: the most frequent ones. */
const maxNamed = 3;

/**
 * Finds an operator that asks the server too often: in a loop, for each object of a list, or in retries without a delay.
 *
 * ```ts
 * oracles: [requestBudget({ perStep: 100 })];
 * ```
 *
 * @param budget.perStep how many requests it may send after each thing that a user does, and after its start: all but those about Leases
 */
export function requestBudget({ perStep }: { readonly perStep: number }): Oracle {
  return {
    name: 'request budget',
    check({ requests }) {
      return [...new Set(requests.map(({ step }) => step))].flatMap((step) => {
        const sent = requests.filter((request) => request.step === step);
        if (sent.length <= perStep) return [];
        const counts = Object.entries(tally(sent.map(({ verb, resource }) => `${verb} ${resource}`)));
        const most = counts.toSorted(([, one], [, other]) => other - one).slice(0, maxNamed);
        const named = most.map(([request, count]) => `${count} × ${request}`).join(', ');
        return [`${sent.length} requests of at most ${perStep} when the object ${step}: ${named}`];
      });
    },
  };
}
