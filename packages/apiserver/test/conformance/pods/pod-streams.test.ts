import { afterEach, expect, test } from 'vitest';
import { channelContent } from '../../support/channel-content.ts';
import { masked } from '../../support/masked.ts';
import { onEachStreamingServer } from '../../support/on-each-streaming-server.ts';
import { RawSocket, clientFrame, upgrade } from '../../support/raw-socket.ts';
import { asRecorded } from '../../support/recorded.ts';
import { scriptedKubelet } from '../../support/scripted-kubelet.ts';

const pods = '/api/v1/namespaces/default/pods';

/** A message of a client to a channel. */
const to = (channel: number, text: string) => clientFrame(0x82, `${String.fromCharCode(channel)}${text}`);
/** The end of a channel: its number follows 255. */
const ending = (channel: number) => clientFrame(0x82, Buffer.from([255, channel]));
const inBase64 = (channel: number, text: string) => clientFrame(0x81, `${channel}${btoa(text)}`);

/** A path below the pods, the subprotocols that a client offers, and what it sends. */
type Session = readonly [path: string, protocols: string, ...sent: Buffer[]];

const cases: Record<string, readonly Session[]> = {
  'commands over v5': [
    ['app/exec?command=say&command=hi&stdout=1&stderr=1', 'v5.channel.k8s.io'],
    ['app/exec?command=say&command=hi&stderr=1', 'v5.channel.k8s.io'],
    ['app/exec?command=say&command=hi&stdout=1&stderr=1&tty=1', 'v5.channel.k8s.io'],
    ['app/exec?command=exit&command=3&stdout=1', 'v5.channel.k8s.io'],
    ['app/exec?command=fail&stdout=1', 'v5.channel.k8s.io'],
    ['app/exec?command=say', 'v5.channel.k8s.io'],
    ['pair/exec?command=say&stdout=1&container=two', 'v5.channel.k8s.io'],
    ['app/exec?command=cat&stdin=1&stdout=1', 'v5.channel.k8s.io', to(0, 'some text'), ending(0)],
    [
      'app/exec?command=count&stdin=1&stdout=1',
      'v5.channel.k8s.io',
      to(0, ''),
      to(0, 'ab'),
      to(9, 'cd'),
      ending(0),
    ],
    ['app/exec?command=sizes&stdout=1&tty=1', 'v5.channel.k8s.io', to(4, '{"Width":80,"Height":0}\n')],
  ],
  'commands over older protocols': [
    ['app/exec?command=say&command=hi&stdout=1&stderr=1', 'v4.channel.k8s.io'],
    ['app/exec?command=exit&command=3&stdout=1', 'v4.channel.k8s.io'],
    ['app/exec?command=fail&stdout=1', 'v4.channel.k8s.io'],
    ['app/exec?command=exit&command=3&stdout=1', 'channel.k8s.io'],
    ['app/exec?command=fail&stdout=1', 'channel.k8s.io'],
    ['app/exec?command=say&command=hi&stdout=1&stderr=1', 'v4.base64.channel.k8s.io'],
    ['app/exec?command=fail&stdout=1', 'base64.channel.k8s.io'],
    [
      'app/exec?command=sizes&stdout=1&tty=1',
      'v4.base64.channel.k8s.io',
      inBase64(4, '{"Width":80,"Height":0}\n'),
    ],
  ],
  'attaching to a process': [
    ['app/attach?stdout=1&stderr=1', 'v5.channel.k8s.io'],
    ['app/attach?stdin=1&stdout=1', 'v5.channel.k8s.io', to(0, 'fail')],
    ['app/attach?stdin=1&stdout=1', 'v4.channel.k8s.io', to(0, 'fail')],
    ['pair/attach?stdout=1&container=two', 'v5.channel.k8s.io'],
  ],
};

onEachStreamingServer('streams of pods', { streams: scriptedKubelet }, (server) => {
  const sockets: RawSocket[] = [];
  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.close();
  });

  async function open([path, protocols, ...sent]: Session): Promise<object> {
    const headers = [...upgrade, `Sec-WebSocket-Protocol: ${protocols}`];
    const socket = RawSocket.open(server.connection, `GET ${pods}/${path}`, headers);
    sockets.push(socket);
    await socket.until(({ head, isOver }) => head.length > 0 || isOver);
    for (const bytes of sent) socket.send(bytes);
    await socket.until(({ frames, isOver }) => isOver || frames.at(-1)?.kind === '88');
    const { head, frames } = socket;
    const { channels, control: end } = channelContent(frames);
    return { asked: path, protocols, answered: head.at(-1), first: frames[0], channels, end };
  }

  test.each(Object.keys(cases))('%s', async (title) => {
    const answers = [];
    for (const session of cases[title] ?? []) answers.push(await open(session));
    const file = `../recorded/pod-streams/${title.replaceAll(/[^a-z0-9]+/g, '-')}.yaml`;
    await expect(asRecorded(masked(answers))).toMatchFileSnapshot(file);
  });
});
