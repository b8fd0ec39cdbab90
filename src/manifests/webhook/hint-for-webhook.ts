import { closestName } from 'ots-apimachinery/closest-name';
import type { WebhookPath } from './report-problem.ts';

const operators = ['In', 'NotIn', 'Exists', 'DoesNotExist'];
const labelKey =
  'it is letters, digits, -, _ and . (at most 63), and may have a domain and a slash before them';
const labelValue = 'it is at most 63 letters, digits, -, _ and ., and begins and ends with a letter or digit';

/** What to do about an error of the API server, by the field that it is about or what the message has in common. */
const hints: readonly (readonly [field: RegExp, message: RegExp, hint: string])[] = [
  [/^name$/, /./, 'it is a domain of at least three parts, like mjobwatcher-v1.kb.io'],
  [/^sideEffects$/, /^Required/, 'it is one of None, NoneOnDryRun'],
  [/^timeoutSeconds$/, /./, 'the API server waits 1 to 30 seconds'],
  [/^admissionReviewVersions$/, /^Required/, 'write v1'],
  [/^admissionReviewVersions/, /duplicate/, 'remove one'],
  [/\.port$/, /./, 'ports are 1 to 65535'],
  [/./, /if '\*' is present/, '* means all of them: remove it or the others'],
  [/./, /if '.*' is present/, 'remove one of them'],
  [/\.key$/, /./, labelKey],
  [/\.matchLabels\./, /name part|label key|prefix part/, labelKey],
  [/\.values\.\d+$|\.matchLabels\./, /./, labelValue],
  [/\.values$/, /^Required/, 'add values: […]'],
  [/\.values$/, /^Forbidden/, 'remove it, or write In or NotIn'],
  [/^matchConditions$/, /./, 'combine some of them'],
  [/^matchConditions.*\.name$/, /^Required/, 'add name: …, which messages about it show'],
  [/^matchConditions.*\.name$/, /^Duplicate/, 'give each its own name'],
  [/^matchConditions.*\.name$/, /./, 'it is letters, digits, -, _ and ., at most 63, like exclude-leases'],
  [/^matchConditions/, /^Required/, `add expression: "object.metadata.name != 'x'", or such`],
  [/./, /^Required/, 'add it'],
];

/**
 * Returns what to do about an error in a webhook.
 * @param message the message of the API server
 */
export function hintForWebhook(path: WebhookPath, message: string): string {
  const field = path.join('.');
  const [value = '', ...supported] = Array.from(message.matchAll(/"([^"]*)"/g), ([, text]) => text!);
  if (message.startsWith('Unsupported value')) return hintForChoice(value, supported);
  if (field.endsWith('.operator')) return hintForChoice(value, operators);
  const known = hints.find(([fields, messages]) => fields.test(field) && messages.test(message));
  return known?.[2] ?? 'change it, or remove it';
}

function hintForChoice(value: string, choices: readonly string[]): string {
  const suggestion = closestName(value, choices);
  return suggestion ? `did you mean ${suggestion}?` : `it is one of ${choices.join(', ')}`;
}
