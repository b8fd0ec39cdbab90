import type { Clock } from 'ots-apimachinery/clock/clock';
import type { DevAction } from '../model/dev-action.ts';
import type { DevState } from '../model/dev-state.ts';
import { exportKubeconfig } from './describe.ts';
import type { View } from './frame/frame.ts';
import { type Pausable, pausableObjects } from './pausable-objects.ts';

export interface ControlsOptions {
  readonly clock: Clock;
  readonly state: () => DevState;
  readonly act: (action: DevAction) => Promise<void>;
  readonly pageUrl: string | undefined;
  readonly openPage: (url: string) => Promise<void>;
  readonly onQuit: () => void;
  /** Calls back when the view is different. */
  readonly onChange: () => void;
  /** Calls back when a person asks to draw everything again. */
  readonly onRedraw: () => void;
}

interface Control {
  readonly key: string;
  readonly short: string;
  readonly text: string;
  readonly press: () => void;
}

/** How long an answer stays that a person need not act on. */
const noticeMs = 5000;

/** What the keys do, and what they add to the view. */
export class Controls {
  readonly #options: ControlsOptions;
  readonly #controls: readonly Control[];
  #notice: { text: string; isError: boolean; until: number } | undefined;
  #isHelp = false;
  /** The text of what is selected in the choice; undefined when there is nothing to choose. */
  #selected: string | undefined;

  constructor(options: ControlsOptions) {
    this.#options = options;
    this.#controls = this.#controlsOf(options);
  }

  /** What a frame shows beside the state. */
  get view(): Pick<View, 'keys' | 'notice' | 'isHelp' | 'choice'> {
    const { clock } = this.#options;
    if (this.#notice && this.#notice.until <= clock.now()) this.#notice = undefined;
    const choices = this.#choices();
    return {
      keys: this.#controls,
      isHelp: this.#isHelp,
      ...(this.#notice && { notice: this.#notice }),
      ...(this.#selected !== undefined && {
        choice: {
          title: 'Pause or resume: arrow keys and Enter, or a number. s steps, Esc closes.',
          entries: choices.map(({ text, isPaused }) => ({ text, note: isPaused ? 'paused' : '' })),
          selected: this.#indexOf(choices),
        },
      }),
    };
  }

  press(key: string): void {
    const { onChange, onQuit, onRedraw } = this.#options;
    this.#notice = undefined;
    if (key === 'ctrl-c') onQuit();
    else if (key === 'ctrl-l') onRedraw();
    else if (this.#selected !== undefined && this.#choose(key)) onChange();
    else if (this.#isHelp) {
      this.#isHelp = false;
      if (key === 'q') onQuit();
    } else this.#controls.find((control) => control.key === key)?.press();
    onChange();
  }

  #controlsOf({ act, pageUrl, onQuit, state }: ControlsOptions): Control[] {
    const acting = (action: DevAction, done: string) => () => this.#do(() => act(action), done);
    return [
      ...(pageUrl === undefined
        ? []
        : [
            {
              key: 'o',
              short: 'page',
              text: 'Open the page in a browser.',
              press: () => this.#open(pageUrl),
            },
          ]),
      {
        key: 'r',
        short: 'restart',
        text: 'Restart the operator.',
        press: acting({ action: 'restart' }, 'The operator restarts.'),
      },
      {
        key: 'a',
        short: 'samples',
        text: 'Apply the samples.',
        press: acting({ action: 'apply-samples' }, 'The samples are applied.'),
      },
      {
        key: 'k',
        short: 'kubeconfig',
        text: 'Show the command that lets kubectl use the cluster.',
        press: () => this.#tell(exportKubeconfig(state().cluster.kubeconfig), 'command'),
      },
      {
        key: 'p',
        short: 'pause',
        text: 'Pause or resume all reconciles, or those of one object.',
        press: () => (this.#selected = this.#choices()[0]!.text),
      },
      {
        key: 's',
        short: 'step',
        text: 'Let the next reconcile run that is paused.',
        press: () => this.#step(),
      },
      { key: '?', short: 'help', text: 'Show or hide this help.', press: () => (this.#isHelp = true) },
      { key: 'q', short: 'quit', text: 'End the session, like Ctrl-C.', press: onQuit },
    ];
  }

  #choices(): readonly Pausable[] {
    return pausableObjects(this.#options.state());
  }

  /** The first one if the object is not there any more. */
  #indexOf(choices: readonly Pausable[]): number {
    return Math.max(
      0,
      choices.findIndex(({ text }) => text === this.#selected),
    );
  }

  /** @returns whether the key belongs to the choice */
  #choose(key: string): boolean {
    const choices = this.#choices();
    const index = this.#indexOf(choices);
    const numbered = /^[1-9]$/.test(key) ? choices[Number(key) - 1] : undefined;
    if (key === 'up') this.#selected = choices[Math.max(0, index - 1)]!.text;
    else if (key === 'down') this.#selected = choices[Math.min(choices.length - 1, index + 1)]!.text;
    else if (key === 'escape' || key === 'p') this.#selected = undefined;
    else if (key === 'enter' || numbered) this.#toggle(numbered ?? choices[index]!);
    else if (key === 's') this.#stepOf(choices[index]!);
    else return key !== 'q';
    return true;
  }

  #toggle({ object, text, isPaused }: Pausable): void {
    this.#selected = undefined;
    const action = isPaused ? 'resume' : 'pause';
    const done = isPaused ? `Resumed: ${text}.` : `Paused: ${text}. s steps, p resumes.`;
    this.#do(() => this.#options.act({ action, ...object }), done);
  }

  /** Steps what is paused; asks which if that is not clear. */
  #step(): void {
    const paused = this.#choices().filter(({ isPaused }) => isPaused);
    if (paused.length === 0) this.#tell('Nothing is paused: press p to pause.');
    else if (paused.length === 1 || paused[0]!.object === undefined) this.#stepOf(paused[0]!);
    else this.#selected = paused[0]!.text;
  }

  #stepOf({ object, text, isPaused }: Pausable): void {
    if (!isPaused) return this.#tell(`Not paused: ${text}.`);
    return this.#do(() => this.#options.act({ action: 'step', ...object }), `Stepped: ${text}.`);
  }

  #open(url: string): void {
    this.#do(
      () =>
        this.#options.openPage(url).catch((error: unknown) => {
          throw new Error(`Open ${url} in a browser`, { cause: error });
        }),
      'The page opens in a browser.',
    );
  }

  #do(act: () => Promise<void>, done: string): void {
    act().then(
      () => this.#tell(done),
      (error: unknown) => this.#tell(error instanceof Error ? error.message : String(error), 'error'),
    );
  }

  /** @param kind an `answer` goes after a while, the others stay until the next key */
  #tell(text: string, kind: 'answer' | 'command' | 'error' = 'answer'): void {
    const until = kind === 'answer' ? this.#options.clock.now() + noticeMs : Infinity;
    this.#notice = { text, isError: kind === 'error', until };
    this.#options.onChange();
  }
}
