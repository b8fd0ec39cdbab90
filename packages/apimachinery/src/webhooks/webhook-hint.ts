/** Where a scaffolded project lists the setup functions of its webhooks and conversions. */
const setupFile = 'src/webhooks/index.ts';

/** How kube-apiserver begins its messages about webhooks. A conversion is a webhook, too. */
const call = /failed calling webhook "|conversion webhook for /;
/** How the message ends when no connection was made, or no response arrived. */
const unreachable = /: Post "https?:\/\/[^"]+": /;

/** What to do, by what the message contains besides {@link call}; in order. */
const advice: readonly (readonly [RegExp, string])[] = [
  [
    /the operator does not serve \/convert\b/,
    `Add the setup function of the conversion to the list in ${setupFile}.`,
  ],
  [
    /the operator does not serve \//,
    `Add its setup function to the list in ${setupFile}, or correct the path in its @webhook tag and run npm run manifests.`,
  ],
  [
    /context deadline exceeded/,
    'Let the handler respond faster, or raise timeoutSeconds in its @webhook tag; a conversion has 30 seconds.',
  ],
  [
    unreachable,
    `Start what serves the webhook; in a test, that is a manager with the setup functions of ${setupFile}.`,
  ],
  [/conversion webhook for /, 'Correct the conversion; the log of the operator says where it failed.'],
];

/**
 * What to do about a webhook that failed, by the message of kube-apiserver, which contains that of ots-runtime. Undefined for other
 * messages, such as a refusal by a webhook that works.
 */
export function webhookHint(message: string): string | undefined {
  if (/denied the request: the webhook failed/.test(message))
    return 'Correct the handler of the webhook; the log of the operator says where it failed.';
  if (!call.test(message)) return undefined;
  return advice.find(([pattern]) => pattern.test(message))?.[1] ?? 'See the log of what serves the webhook.';
}
