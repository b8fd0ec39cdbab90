import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { execa } from 'execa';
import { WebSocket } from 'undici';
import { onTestFinished } from 'vitest';

export type ColorScheme = 'dark' | 'light';

/** Firefox keeps to the scheme of the system without this preference. */
const schemePreference = { dark: 0, light: 1 } as const;

interface Reply {
  id?: number;
  method?: string;
  params?: { level?: string; text?: string };
  result?: unknown;
  error?: string;
  message?: string;
}

/** The type and value of a script's result. */
interface ScriptResult {
  type: 'success' | 'exception';
  result?: { value?: string };
  exceptionDetails?: { text: string };
}

/**
 * A window of an unchanged Firefox, driven by WebDriver BiDi, the protocol that it speaks itself
 * (https://w3c.github.io/webdriver-bidi). Playwright drives only builds of its own.
 */
export class FirefoxWindow {
  /** What the browser complained about. */
  readonly complaints: string[] = [];
  readonly #socket: WebSocket;
  readonly #pending = new Map<number, (reply: Reply) => void>();
  #ids = 0;
  #context = '';

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.addEventListener('message', ({ data }) => this.#receive(JSON.parse(String(data)) as Reply));
  }

  /** Starts a browser with an empty profile, which ends with the test. */
  static async open(executable: string, colorScheme: ColorScheme): Promise<FirefoxWindow> {
    const profile = await mkdtemp(join(tmpdir(), 'ots-firefox-'));
    const scheme = `user_pref("layout.css.prefers-color-scheme.content-override", ${schemePreference[colorScheme]});\n`;
    await writeFile(join(profile, 'user.js'), scheme);
    const args = ['--headless', '--no-remote', '--profile', profile, '--remote-debugging-port', '0'];
    const browser = execa(executable, args, { stdin: 'ignore', stdout: 'ignore', reject: false });
    onTestFinished(async () => {
      browser.kill('SIGKILL');
      await browser;
      // Its other processes end a moment later, and may still write.
      await rm(profile, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
    });
    const socket = new WebSocket(`${await addressOf(browser.stderr)}/session`);
    await once(socket as unknown as EventTarget, 'open');
    const window = new FirefoxWindow(socket);
    await window.#begin();
    return window;
  }

  async goto(url: string): Promise<void> {
    await this.#send('browsingContext.navigate', { context: this.#context, url, wait: 'complete' });
  }

  /** The value of an expression, or of its promise, as JSON carries it. */
  async evaluate(expression: string): Promise<unknown> {
    const { type, result, exceptionDetails } = (await this.#send('script.evaluate', {
      expression: `Promise.resolve(${expression}).then((value) => JSON.stringify(value) ?? 'null')`,
      target: { context: this.#context },
      awaitPromise: true,
    })) as ScriptResult;
    if (type === 'exception') throw new Error(exceptionDetails!.text);
    return JSON.parse(result!.value!);
  }

  /** Presses and releases a key: a letter, or a code of the WebDriver specification such as `\uE004` for Tab. */
  async press(value: string): Promise<void> {
    const actions = ['keyDown', 'keyUp'].map((type) => ({ type, value }));
    const parameters = { context: this.#context, actions: [{ type: 'key', id: 'keyboard', actions }] };
    await this.#send('input.performActions', parameters);
  }

  async #begin(): Promise<void> {
    await this.#send('session.new', { capabilities: {} });
    await this.#send('session.subscribe', { events: ['log.entryAdded'] });
    const created = await this.#send('browsingContext.create', { type: 'tab' });
    this.#context = (created as { context: string }).context;
    // Only the active window shows where the focus is.
    await this.#send('browsingContext.activate', { context: this.#context });
  }

  async #send(method: string, params: object): Promise<unknown> {
    const id = ++this.#ids;
    this.#socket.send(JSON.stringify({ id, method, params }));
    const reply = await new Promise<Reply>((resolve) => this.#pending.set(id, resolve));
    if (reply.error !== undefined) throw new Error(`${method}: ${reply.message}`);
    return reply.result;
  }

  #receive(reply: Reply): void {
    if (reply.id !== undefined) {
      this.#pending.get(reply.id)?.(reply);
      this.#pending.delete(reply.id);
    } else if (reply.params?.level === 'error' || reply.params?.level === 'warn') {
      this.complaints.push(reply.params.text ?? '');
    }
  }
}

/** Firefox says it once, among its warnings. */
async function addressOf(stderr: NodeJS.ReadableStream): Promise<string> {
  for await (const line of createInterface(stderr)) {
    const address = /WebDriver BiDi listening on (ws:\S+)/.exec(line)?.[1];
    if (address !== undefined) {
      stderr.resume();
      return address;
    }
  }
  throw new Error('Firefox ended before it listened');
}
