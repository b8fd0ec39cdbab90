import { matchesFormat } from 'ots-apimachinery/formats/formats';
import { dns1035Label, dnsLabel, labelValue, qualifiedName, subdomain } from 'ots-apimachinery/names';
import { isUrl } from 'ots-apimachinery/go/parse-url';
import { ArrayList } from '../values/list.ts';
import { NamedFormat } from '../values/named-format.ts';
import { Optional } from '../values/optional.ts';
import { matchingCost, sizeOf } from './costs.ts';
import { overload } from './overload.ts';
import type { FunctionTable } from './overload.ts';

const uuidPattern = /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i;
const base64Pattern = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4})$/;

/** The length of Go's pattern for a date and time, which determines the cost of dates. */
const dateTimePatternLength = 70;

const formats: readonly (readonly [name: string, format: NamedFormat])[] = [
  ['dns1123Label', new NamedFormat('DNS1123Label', 30, dnsLabel)],
  ['dns1123Subdomain', new NamedFormat('DNS1123Subdomain', 60, subdomain)],
  ['dns1035Label', new NamedFormat('DNS1035Label', 30, dns1035Label)],
  ['qualifiedName', new NamedFormat('QualifiedName', 60, qualifiedName)],
  ['dns1123LabelPrefix', new NamedFormat('DNS1123LabelPrefix', 30, prefixOf(dnsLabel))],
  ['dns1123SubdomainPrefix', new NamedFormat('DNS1123SubdomainPrefix', 60, prefixOf(subdomain))],
  ['dns1035LabelPrefix', new NamedFormat('DNS1035LabelPrefix', 30, prefixOf(dns1035Label))],
  ['labelValue', new NamedFormat('LabelValue', 40, labelValue)],
  [
    'uri',
    new NamedFormat('URI', 1103, (text) =>
      isUrl(text) ? [] : [`parse ${JSON.stringify(text)}: invalid URI for request`],
    ),
  ],
  ['uuid', simple('uuid', 72, 'does not match the UUID format', (text) => uuidPattern.test(text))],
  ['byte', simple('byte', 84, 'invalid base64', (text) => text.length % 4 === 0 && base64Pattern.test(text))],
  ['date', simple('date', dateTimePatternLength, 'invalid date', (text) => matchesFormat(text, 'date'))],
  [
    'datetime',
    simple('datetime', dateTimePatternLength, 'invalid datetime', (text) => matchesFormat(text, 'date-time')),
  ],
];

const byName = new Map(formats);

/** The named formats of Kubernetes. */
export const namedFormats: FunctionTable = {
  'format.named': [
    overload(['string'], (name) => {
      const format = byName.get(name);
      return format ? Optional.of(format) : Optional.none;
    }),
  ],
  validate: [
    overload(
      ['format', 'string'],
      (format, text) => {
        const problems = format.validate(text);
        return problems.length === 0 ? Optional.none : Optional.of(new ArrayList(problems));
      },
      ([format, text]) => matchingCost(sizeOf(text!), (format as NamedFormat).patternLength),
    ),
  ],
  ...Object.fromEntries(formats.map(([name, format]) => [`format.${name}`, [overload([], () => format)]])),
};

function simple(
  name: string,
  patternLength: number,
  problem: string,
  isValid: (text: string) => boolean,
): NamedFormat {
  return new NamedFormat(name, patternLength, (text) => (isValid(text) ? [] : [problem]));
}

/** The start of a name may end with a dash, because the API server appends to it. */
function prefixOf(check: (text: string) => string[]): (text: string) => string[] {
  return (text) => check(text.length > 1 && text.endsWith('-') ? `${text.slice(0, -2)}a` : text);
}
