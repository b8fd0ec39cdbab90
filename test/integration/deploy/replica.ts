import { execa } from 'execa';
import { waitFor } from 'ots-runtime';

/** One line of the log. */
export interface LogLine {
  readonly level: string;
  readonly msg: string;
  readonly ports?: Partial<Record<'health' | 'metrics' | 'webhooks', number>>;
}

/** One process of an operator, as a pod would run it. */
export class Replica {
  readonly #process;
  #text = '';

  /** @param directory the project, built */
  constructor(directory: string, args: readonly string[], env: Readonly<Record<string, string>>) {
    this.#process = execa(process.execPath, ['dist/main.js', ...args], {
      cwd: directory,
      env: { ...env, NODE_ENV: 'production' },
      stdin: 'ignore',
      reject: false,
    });
    this.#process.stderr.on('data', (chunk: Buffer) => (this.#text += chunk.toString()));
  }

  get lines(): LogLine[] {
    const complete = this.#text.slice(0, this.#text.lastIndexOf('\n') + 1);
    return complete
      .split('\n')
      .flatMap((line) => (line.startsWith('{') ? (JSON.parse(line) as LogLine) : []));
  }

  get log(): string {
    return this.#text;
  }

  says(message: string): boolean {
    return this.lines.some(({ msg }) => msg === message);
  }

  async until(message: string, timeout: '30s' | '60s' = '30s'): Promise<void> {
    await waitFor(async () => this.says(message), {
      timeout,
      message: () => `"${message}" in\n${this.#text}`,
    });
  }

  /** Known when it is ready. */
  get ports(): Required<NonNullable<LogLine['ports']>> {
    const ready = this.lines.find(({ ports }) => ports);
    return ready!.ports as Required<NonNullable<LogLine['ports']>>;
  }

  /** @returns its exit code; undefined when the signal ended it */
  async end(signal: 'SIGTERM' | 'SIGKILL'): Promise<number | undefined> {
    this.#process.kill(signal);
    return (await this.#process).exitCode;
  }
}
