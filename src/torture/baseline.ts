import { closestName } from 'ots-apimachinery/closest-name';
import type { Finding } from 'ots-testing';
import type { Place } from '../check/finding.ts';
import { YamlError, YamlFile } from '../check/yaml-file.ts';
import { OtsError } from '../errors/ots-error.ts';
import { oneLine } from '../output/one-line.ts';
import { didYouMean } from '../project/names/did-you-mean.ts';
import { quoted } from '../project/names/quoted.ts';
import { isData } from '../project/yaml/data.ts';
import type { SampleReport, SampleResult, UnusedEntry } from './torture-result.ts';

/** Where an author accepts findings, at the root of the project. */
export const baselineFile = 'torture-baseline.yaml';

const keys = ['finding', 'sample', 'reason'];

/** A finding that the author accepts. */
interface Entry {
  /** Its ID. */
  readonly finding: string;
  /** The file of the sample; undefined for all samples. */
  readonly sample: string | undefined;
  readonly reason: string;
  /** From 1. */
  readonly line: number;
}

/** The findings that an author accepts in torture-baseline.yaml. */
export class Baseline {
  readonly #entries: readonly Entry[];

  private constructor(entries: readonly Entry[]) {
    this.#entries = entries;
  }

  /**
   * @param text the content of the file; undefined if it does not exist
   * @throws OtsError `INVALID_BASELINE`
   */
  static parse(text: string | undefined): Baseline {
    return new Baseline(text === undefined ? [] : entriesOf(text));
  }

  /** Takes out the findings that an entry accepts. */
  apply(reports: readonly SampleReport[]): SampleResult[] {
    return reports.map(({ sample, report }) => {
      const findings: Finding[] = [];
      const accepted: SampleResult['accepted'][number][] = [];
      for (const finding of report.findings) {
        const entry = this.#entries.find((each) => matches(each, sample.file, finding.id));
        if (entry) accepted.push({ ...finding, reason: entry.reason });
        else findings.push(finding);
      }
      return { sample, report, findings, accepted };
    });
  }

  /** The entries that accept none of the findings. */
  unused(reports: readonly SampleReport[]): UnusedEntry[] {
    return this.#entries
      .filter((entry) =>
        reports.every(({ sample, report }) =>
          report.findings.every(({ id }) => !matches(entry, sample.file, id)),
        ),
      )
      .map(({ finding, line }) => ({ finding, line }));
  }
}

function matches(entry: Entry, sample: string, id: string): boolean {
  return entry.finding === id && (entry.sample === undefined || entry.sample === sample);
}

function entriesOf(text: string): Entry[] {
  const file = parse(text);
  const [list, ...others] = file.values;
  if (list === undefined || list === null) return [];
  if (!Array.isArray(list) || others.length > 0)
    throw invalid(file.at(0, []), 'The file is not a list', 'Write each entry as "- finding: …".');
  return list.map((entry: unknown, index) => readEntry(entry, (...path) => file.at(0, [index, ...path])));
}

/** @param at the place of a key of the entry */
function readEntry(entry: unknown, at: (...path: string[]) => Place): Entry {
  if (!isData(entry)) throw invalid(at(), 'The entry is not a map', 'Write "finding: …" and "reason: …".');
  const unknown = Object.keys(entry).find((key) => !keys.includes(key));
  if (unknown !== undefined) {
    const hint = didYouMean(closestName(unknown, keys), `Keys are ${keys.join(', ')}.`);
    throw invalid(at(unknown), `${quoted(unknown)} is not a key of an entry`, hint);
  }
  const { finding, sample, reason } = entry;
  if (!isText(finding)) {
    const hint = 'Write the ID that ots torture prints, such as crash-converges-statefulsets.apps.';
    throw invalid(at('finding'), 'The entry names no finding', hint);
  }
  if (!isText(reason))
    throw invalid(at('reason'), 'The entry has no reason', 'Say in "reason" why the operator may do that.');
  if (sample !== undefined && !isText(sample))
    throw invalid(at('sample'), 'sample is not a path', 'Write the path as ots torture prints it.');
  return { finding, sample, reason, line: at().line };
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '';
}

function parse(text: string): YamlFile {
  try {
    return new YamlFile(baselineFile, text);
  } catch (error) {
    if (!(error instanceof YamlError)) throw error;
    throw invalid(error, `The file ${error.message}`, 'Correct it.');
  }
}

function invalid({ line, column = 1 }: Omit<Place, 'file'>, message: string, hint: string): OtsError {
  const place = `${baselineFile}:${line}:${column}`;
  return new OtsError('INVALID_BASELINE', `${place}: ${oneLine(message)}`, {
    hint,
    details: { file: baselineFile, line, column },
  });
}
