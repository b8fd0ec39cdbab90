import { setTimeout } from 'node:timers/promises';
import type { Answer } from './session.ts';

/**
 * Sends a request again while a real server does not know the schema of its kind. The server reads the schemas of
 * custom resources every five seconds; until then, policies that change objects of a new kind answer 503.
 *
 * @returns the first answer of a server that knows the kind
 */
export async function onceKindIsKnown(send: () => Promise<Answer>): Promise<Answer> {
  for (;;) {
    const answer = await send();
    if (answer.code !== 503 || !/^Resource kind .* not found\./.test(answer.body.message)) return answer;
    await setTimeout(100);
  }
}
