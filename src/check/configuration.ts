import { closestName } from 'ots-apimachinery/closest-name';
import { didYouMean } from '../project/names/did-you-mean.ts';
import { quoted } from '../project/names/quoted.ts';
import { isData } from '../project/yaml/data.ts';
import { type Finding, type IgnoredFinding, type Place } from './finding.ts';
import type { ProjectView } from './project-view.ts';
import { configurationRule, rules } from './rules.ts';

/** Where an author turns findings off, at the root of the project. */
const configurationFile = 'ots-check.yaml';

/** A finding that the author does not want. */
interface Entry {
  readonly rule: string;
  /** Undefined for all files. */
  readonly file: string | undefined;
  readonly reason: string;
  readonly place: Place;
}

/** What is left of findings, and what the configuration has turned off. */
interface Filtered {
  readonly findings: Finding[];
  readonly ignored: IgnoredFinding[];
}

/** The findings that an author turns off in ots-check.yaml. */
export class Configuration {
  readonly #entries: readonly Entry[];
  readonly #problems: readonly Finding[];

  private constructor(entries: readonly Entry[], problems: readonly Finding[]) {
    this.#entries = entries;
    this.#problems = problems;
  }

  static read(view: ProjectView): Configuration {
    const [value] = view.yaml(configurationFile)?.values ?? [];
    if (value === undefined || value === null) return new Configuration([], []);
    const reader = new EntryReader(view);
    const entries = reader.read(value);
    return new Configuration(entries, reader.problems);
  }

  /**
   * Takes out the findings that an entry turns off. Entries that are wrong, or turn nothing off, are findings themselves.
   *
   * @param ran the rules that ran; an entry for another rule is not unused
   */
  apply(found: readonly Finding[], ran: readonly string[]): Filtered {
    const used = new Set<Entry>();
    const findings: Finding[] = [];
    const ignored: IgnoredFinding[] = [];
    for (const finding of found) {
      const matching = this.#entries.filter((entry) => matches(entry, finding));
      for (const entry of matching) used.add(entry);
      const [first] = matching;
      if (first) ignored.push({ ...finding, reason: first.reason });
      else findings.push(finding);
    }
    const unused = this.#entries.filter((entry) => !used.has(entry) && ran.includes(entry.rule));
    return { findings: [...findings, ...this.#problems, ...unused.map(unusedEntry)], ignored };
  }
}

function matches({ rule, file }: Entry, finding: Finding): boolean {
  return rule === finding.rule && (file === undefined || file === finding.file);
}

function unusedEntry({ rule, file, place }: Entry): Finding {
  const where = file === undefined ? '' : ` in ${file}`;
  return {
    ...place,
    rule: configurationRule,
    severity: 'warning',
    message: `The entry turns nothing off: ${rule} has no findings${where}`,
    hint: 'Remove the entry.',
  };
}

class EntryReader {
  readonly problems: Finding[] = [];
  readonly #view: ProjectView;

  constructor(view: ProjectView) {
    this.#view = view;
  }

  read(value: unknown): Entry[] {
    if (!isData(value)) {
      this.#report([], 'The file is not a map with the key ignore', 'Write "ignore:" and a list below it.');
      return [];
    }
    this.#checkKeys(value, ['ignore'], []);
    const list = value['ignore'] ?? [];
    if (!Array.isArray(list)) {
      this.#report(['ignore'], 'ignore is not a list', 'Write each entry as "- rule: …".');
      return [];
    }
    return list.flatMap((entry: unknown, index) => this.#readEntry(entry, ['ignore', index]) ?? []);
  }

  #readEntry(entry: unknown, path: readonly (string | number)[]): Entry | undefined {
    if (!isData(entry)) {
      this.#report(path, 'The entry is not a map', 'Write "rule: …" and "reason: …".');
      return undefined;
    }
    this.#checkKeys(entry, ['rule', 'file', 'reason'], path);
    const { rule, file, reason } = entry;
    const names = rules.map(({ name }) => name);
    if (typeof rule !== 'string' || !names.includes(rule)) {
      const suggestion = typeof rule === 'string' ? closestName(rule, names) : undefined;
      const message =
        rule === undefined
          ? 'The entry names no rule'
          : `${quoted(typeof rule === 'string' ? rule : JSON.stringify(rule))} is not a rule`;
      const hint = didYouMean(suggestion, `Rules are ${names.join(', ')}.`);
      this.#report([...path, 'rule'], message, hint);
      return undefined;
    }
    if (typeof reason !== 'string' || reason.trim() === '') {
      this.#report(
        [...path, 'reason'],
        'The entry has no reason',
        'Say in "reason" why the finding does not matter.',
      );
      return undefined;
    }
    if (file !== undefined && typeof file !== 'string') {
      this.#report([...path, 'file'], 'file is not a path', 'Write the path as ots check prints it.');
      return undefined;
    }
    return { rule, file, reason, place: this.#view.place(configurationFile, 0, [...path, 'rule']) };
  }

  #checkKeys(value: object, known: readonly string[], path: readonly (string | number)[]): void {
    for (const key of Object.keys(value).filter((each) => !known.includes(each)))
      this.#report(
        [...path, key],
        `${quoted(key)} is not a key of ${configurationFile}`,
        didYouMean(closestName(key, known), `Keys here are ${known.join(', ')}.`),
      );
  }

  #report(path: readonly (string | number)[], message: string, hint: string): void {
    const place = this.#view.place(configurationFile, 0, path);
    this.problems.push({ ...place, rule: configurationRule, severity: 'error', message, hint });
  }
}
