import { type ComponentChildren, createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { DevAction, ReconciledObject } from '../../model/dev-action.ts';
import type { DevState } from '../../model/dev-state.ts';
import { isPaused } from '../objects/session-index.ts';

/** Does an action and says how it went. */
export type Act = (action: DevAction, label: string) => void;

/** Says something to all readers, also to those who do not see it. */
export type Announce = (text: string, isBad?: boolean) => void;

export const ActContext = createContext<Act>(() => {});
export const AnnounceContext = createContext<Announce>(() => {});

/** A button that sends an action. */
export function ActionButton(props: {
  action: DevAction;
  /** What the button says, for readers who hear it without what is around it. */
  label: string;
  children: ComponentChildren;
}) {
  const act = useContext(ActContext);
  return (
    <button type="button" aria-label={props.label} onClick={() => act(props.action, props.label)}>
      {props.children}
    </button>
  );
}

/** Pause, resume and step one object. */
export function ObjectButtons({ state, request }: { state: DevState; request: ReconciledObject }) {
  const isHeld = isPaused(state, request);
  const name = `${request.controller} ${request.name}`;
  return (
    <span class="buttons">
      {isHeld ? (
        <ActionButton action={{ action: 'resume', ...request }} label={`Resume ${name}`}>
          Resume
        </ActionButton>
      ) : (
        <ActionButton action={{ action: 'pause', ...request }} label={`Pause ${name}`}>
          Pause
        </ActionButton>
      )}
      {(isHeld || state.operator.isPaused) && (
        <ActionButton action={{ action: 'step', ...request }} label={`Step ${name}`}>
          Step
        </ActionButton>
      )}
    </span>
  );
}

/** Copies a text. Where the browser forbids it, the reader learns to do it. */
export function CopyButton({ text, label }: { text: string; label: string }) {
  const announce = useContext(AnnounceContext);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      announce(`Copied: ${text}`);
    } catch {
      announce('The browser does not allow copying. Select the text and copy it.', true);
    }
  };
  return (
    <button type="button" aria-label={label} onClick={() => void copy()}>
      Copy
    </button>
  );
}
