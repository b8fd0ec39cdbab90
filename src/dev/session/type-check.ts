import { execa } from 'execa';
import type { ProblemState } from '../model/dev-state.ts';
import type { DevStore } from '../store/dev-store.ts';

/** A line of the TypeScript compiler, such as `src/a.ts(1,2): error TS2322: Type …`. */
const diagnostic = /^(.+?)\((\d+),(\d+)\): error (TS\d+: .*)$/;

/** Checks the types of a project, beside everything else: the operator of sources with type errors runs, too. */
export class TypeCheck {
  readonly #root: string;
  readonly #store: DevStore;
  #current: AbortController | undefined;

  constructor(root: string, store: DevStore) {
    this.#root = root;
    this.#store = store;
  }

  /** Checks the types of the current sources and reports the errors, unless the sources change meanwhile. */
  start(): void {
    this.stop();
    const current = new AbortController();
    this.#current = current;
    void this.#check(current.signal);
  }

  stop(): void {
    this.#current?.abort();
  }

  async #check(signal: AbortSignal): Promise<void> {
    const { stdout } = await execa('tsc', ['--noEmit', '--pretty', 'false'], {
      cwd: this.#root,
      preferLocal: true,
      localDir: this.#root,
      cancelSignal: signal,
      reject: false,
      stdin: 'ignore',
    });
    if (!signal.aborted) this.#store.report('types', stdout.split('\n').flatMap(problemOf));
  }
}

function problemOf(line: string): Omit<ProblemState, 'source'>[] {
  const [, file, row, column, message = ''] = diagnostic.exec(line) ?? [];
  return file === undefined ? [] : [{ message, location: `${file}:${row}:${column}` }];
}
