import { type CharacterSet, characterRange } from './character-set.ts';

/** The long names of categories, normalized by {@link canonicalName}. */
const categories: ReadonlyMap<string, string> = new Map(
  (
    'Casedletter:LC Closepunctuation:Pe Cntrl:Cc Combiningmark:M Connectorpunctuation:Pc Control:Cc ' +
    'Currencysymbol:Sc Dashpunctuation:Pd Decimalnumber:Nd Digit:Nd Enclosingmark:Me Finalpunctuation:Pf ' +
    'Format:Cf Initialpunctuation:Pi Letter:L Letternumber:Nl Lineseparator:Zl Lowercaseletter:Ll Mark:M ' +
    'Mathsymbol:Sm Modifierletter:Lm Modifiersymbol:Sk Nonspacingmark:Mn Number:N Openpunctuation:Ps Other:C ' +
    'Otherletter:Lo Othernumber:No Otherpunctuation:Po Othersymbol:So Paragraphseparator:Zp Privateuse:Co ' +
    'Punct:P Punctuation:P Separator:Z Spaceseparator:Zs Spacingmark:Mc Surrogate:Cs Symbol:S ' +
    'Titlecaseletter:Lt Unassigned:Cn Uppercaseletter:Lu'
  )
    .split(' ')
    .map((entry) => entry.split(':') as [string, string]),
);

/** Names of scripts that look like four-letter codes, which Go does not accept. */
const fourLetterScripts = new Set('Ahom Cham Kawi Lisu Miao Modi Newa Thai Toto'.split(' '));

/**
 * The set that `\p{…}` names: a category, or a script with a single-word name (Go 1.26 finds no others).
 *
 * @returns undefined for an unknown name
 */
export function unicodeSet(name: string): CharacterSet | undefined {
  const canonical = canonicalName(name);
  switch (canonical) {
    case 'Any':
      return characterRange(0, 0x10_ffff);
    case 'Ascii':
      return characterRange(0, 0x7f);
    case 'Assigned':
      return { source: '\\p{Cn}', negated: true };
    case 'Lc':
      return { source: '\\p{LC}', negated: false };
    default:
      return namedSet(canonical);
  }
}

function namedSet(name: string): CharacterSet | undefined {
  const category = /^[CLMNPSZ][a-z]?$/.test(name) ? name : categories.get(name);
  const isScript = /^[A-Z][a-z]+$/.test(name) && (name.length !== 4 || fourLetterScripts.has(name));
  if (category === undefined && !isScript) return undefined;
  const source = `\\p{${category ?? `Script=${name}`}}`;
  try {
    return { source: new RegExp(source, 'u').source, negated: false };
  } catch {
    return undefined;
  }
}

/** Ignores case and separators. */
function canonicalName(name: string): string {
  const letters = name.replaceAll(/[-_ ]/g, '').replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
  return letters.replace(/^[a-z]/, (letter) => letter.toUpperCase());
}
