import type { Finding } from '../finding.ts';

/** The types of findings about which operator-sdk prints an empty value, and of these, the one with a name. */
const withEmptyValue = new Set(['CSVFileNotValid', 'PropertiesAnnotationUsed', 'DeprecatedValidator']);

/**
 * A finding as operator-sdk prints it: level, field, value and detail.
 *
 * @param name that of the bundle
 */
export function findingMessage(finding: Finding, name: string): string {
  const { validator, level, type, field, value = withEmptyValue.has(type) ? '' : undefined } = finding;
  if (validator === 'format' || validator === 'load') return finding.detail;
  const detail = type === 'CSVFileNotValid' ? `(${name}) ${finding.detail}` : finding.detail;
  const subject = [
    ...(field === undefined ? [] : [`Field ${field}`]),
    ...(value === undefined ? [] : [`Value ${value}`]),
  ].join(', ');
  return `${level === 'error' ? 'Error' : 'Warning'}: ${subject === '' ? '' : `${subject}: `}${detail}`;
}
