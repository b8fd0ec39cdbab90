import { kebabCase } from './kebab-case.ts';

/** Irregular plurals. */
const irregular = new Map(
  Object.entries({
    appendix: 'appendices',
    child: 'children',
    criterion: 'criteria',
    datum: 'data',
    dns: 'dnses',
    foot: 'feet',
    goose: 'geese',
    louse: 'lice',
    man: 'men',
    matrix: 'matrices',
    index: 'indices',
    medium: 'media',
    mouse: 'mice',
    ox: 'oxen',
    person: 'people',
    phenomenon: 'phenomena',
    tooth: 'teeth',
    vertex: 'vertices',
    woman: 'women',
    // -us, from Latin, as people use them
    focus: 'foci',
    nucleus: 'nuclei',
    radius: 'radii',
    stimulus: 'stimuli',
    // -f and -fe: most words just take an s (roofs, proofs, briefs)
    calf: 'calves',
    elf: 'elves',
    half: 'halves',
    knife: 'knives',
    leaf: 'leaves',
    life: 'lives',
    loaf: 'loaves',
    scarf: 'scarves',
    self: 'selves',
    shelf: 'shelves',
    thief: 'thieves',
    wife: 'wives',
    wolf: 'wolves',
    // -o: most words just take an s (photos, repos)
    echo: 'echoes',
    hero: 'heroes',
    potato: 'potatoes',
    tomato: 'tomatoes',
    torpedo: 'torpedoes',
    veto: 'vetoes',
    // singulars in -s that look like plurals
    alias: 'aliases',
    atlas: 'atlases',
    bias: 'biases',
    canvas: 'canvases',
    gas: 'gases',
    iris: 'irises',
    lens: 'lenses',
  }),
);

/** Words that are their own plural and that a rule below would change. */
const unchanged = new Set(
  `aircraft chassis data debris deer equipment feedback firmware fish hardware information media metadata middleware
  money multimedia redis rice salmon sheep software spacecraft traffic wildlife`.split(/\s+/),
);

/**
 * Derives the plural of a kind, which is its name in URLs: `JobPolicy` → `jobpolicies`, `HTTPRoute` → `httproutes`,
 * `Kubernetes` → `kubernetes`. Only the last word changes. A kind that is already a plural stays the same.
 */
export function pluralOf(kind: string): string {
  const words = kebabCase(kind).split('-');
  const last = words.pop() ?? '';
  const isAcronym = last.length > 1 && kind.endsWith(last.toUpperCase());
  return words.join('') + pluralOfWord(last, isAcronym, kind);
}

function pluralOfWord(word: string, isAcronym: boolean, kind: string): string {
  const known = irregular.get(word);
  if (known !== undefined) return known;
  if (unchanged.has(word) || /[A-Z]{2,}s$/.test(kind)) return word;
  if (word === 'quiz' || word === 'whiz') return `${word}zes`;
  if (word.endsWith('s')) return pluralOfWordInS(word, isAcronym);
  if (/(x|z|ch|sh)$/.test(word)) return `${word}es`;
  if (/([^aeiou]|qu)y$/.test(word) && !isAcronym) return `${word.slice(0, -1)}ies`;
  return `${word}s`;
}

/** A word in -s is already a plural (endpoints, news, photos), unless its ending is that of a singular. */
function pluralOfWordInS(word: string, isAcronym: boolean): string {
  if (/sis$|axis$/.test(word)) return `${word.slice(0, -2)}es`;
  if (/(ss|us)$/.test(word)) return `${word}es`;
  if (isAcronym && word !== 'sms') return `${word}es`;
  return word;
}
