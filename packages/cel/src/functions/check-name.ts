const label = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const subdomain = `${label}(\\.${label})*`;
const serviceLabel = '[a-z]([-a-z0-9]*[a-z0-9])?';
const labelKey = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]';
const labelValue = `(${labelKey})?`;

/** What the API server says of names that do not match; the texts are part of what expressions can see. */
const labelRule =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character";
const subdomainRule =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character";
const serviceLabelRule =
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character";
const labelKeyRule =
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character";
const labelValueRule =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character";

/** What is wrong with a text as a DNS label, like `my-name`. */
export function checkLabel(text: string): string[] {
  const problems = tooLong(text, 63);
  if (matches(label, text)) return problems;
  const dots = matches(subdomain, text);
  return [...problems, dots ? 'must not contain dots' : mismatch(labelRule, label, 'my-name', '123-abc')];
}

/** What is wrong with a text as a DNS subdomain, like `example.com`. */
export function checkSubdomain(text: string): string[] {
  return [...tooLong(text, 253), ...unlessMatches(subdomain, text, subdomainRule, 'example.com')];
}

/** What is wrong with a text as a DNS label that starts with a letter. */
export function checkServiceLabel(text: string): string[] {
  return [...tooLong(text, 63), ...unlessMatches(serviceLabel, text, serviceLabelRule, 'my-name', 'abc-123')];
}

/** What is wrong with a text as the key of a label, like `example.com/my-name`. */
export function checkLabelKey(text: string): string[] {
  const parts = text.split('/');
  const examples = ['MyName', 'my.name', '123-abc'];
  if (parts.length > 2) {
    const rule = mismatch(labelKeyRule, labelKey, ...examples);
    return [
      `a valid label key ${rule} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
    ];
  }
  const name = parts.at(-1)!;
  const prefixProblems =
    parts.length === 1 ? [] : parts[0] === '' ? ['must be non-empty'] : checkSubdomain(parts[0]!);
  const nameProblems = [
    ...(name === '' ? ['must be non-empty'] : tooLong(name, 63)),
    ...unlessMatches(labelKey, name, labelKeyRule, ...examples),
  ];
  return [
    ...prefixProblems.map((problem) => `prefix part ${problem}`),
    ...nameProblems.map((problem) => `name part ${problem}`),
  ];
}

/** What is wrong with a text as the value of a label. */
export function checkLabelValue(text: string): string[] {
  return [
    ...tooLong(text, 63),
    ...unlessMatches(labelValue, text, labelValueRule, 'MyValue', 'my_value', '12345'),
  ];
}

function tooLong(text: string, most: number): string[] {
  return Buffer.byteLength(text) > most ? [`must be no more than ${most} characters`] : [];
}

function unlessMatches(pattern: string, text: string, rule: string, ...examples: string[]): string[] {
  return matches(pattern, text) ? [] : [mismatch(rule, pattern, ...examples)];
}

function matches(pattern: string, text: string): boolean {
  return new RegExp(`^(?:${pattern})$`).test(text);
}

function mismatch(rule: string, pattern: string, ...examples: string[]): string {
  const shown = examples.map((example) => `'${example}', `).join(' or ');
  return `${rule} (e.g. ${shown}regex used for validation is '${pattern}')`;
}
