import type { DevAction } from '../../model/dev-action.ts';

/**
 * Asks the session to do something.
 *
 * @returns what is wrong, and what to do; undefined if it is done
 */
export async function sendAction(action: DevAction): Promise<string | undefined> {
  try {
    const response = await fetch('api/actions', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(action),
    });
    if (response.ok) return undefined;
    const { message, hint } = (await response.json()) as { message: string; hint?: string };
    return hint === undefined ? message : `${message}. ${hint}`;
  } catch {
    return 'The session does not answer. Look at the terminal of ots dev.';
  }
}
