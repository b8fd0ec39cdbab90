import type { Frame } from './raw-socket.ts';

/** What a client of channels received: the content by kind of frame and channel, however it was split, and the control frames. */
export function channelContent(frames: readonly Frame[]): {
  channels: Record<string, string>;
  control: Frame[];
} {
  const channels: Record<string, string> = {};
  for (const { kind, text } of frames.filter((frame) => !isControl(frame))) {
    const isText = kind === '81';
    const channel = `${kind} ${isText ? text[0] : text.charCodeAt(0)}`;
    channels[channel] = (channels[channel] ?? '') + (isText ? atob(text.slice(1)) : text.slice(1));
  }
  return { channels, control: frames.filter(isControl) };
}

function isControl({ kind }: Frame): boolean {
  return kind >= '88';
}
