import { expect, test } from 'vitest';
import { TerminalScreen } from '../../support/terminal-screen.ts';
import { terminalSvg } from '../../support/terminal-svg.ts';
import { LiveSession } from './live-session.ts';

test('a picture has each text of a terminal in its place and color', async () => {
  const screen = new TerminalScreen(20, 2);
  screen.write('a b  c\u001B[1;31m<d>\u001B[0m\n日本 \u001B[2md\u001B[0m');
  const svg = await terminalSvg(screen, 'Some "text"');
  expect(svg.match(/<title>.*|<text .*/g)).toEqual([
    '<title>Some &quot;text&quot;</title>',
    '<text y="29"><tspan x="16" textLength="25.2" lengthAdjust="spacingAndGlyphs">a b</tspan><tspan x="58" textLength="8.4" lengthAdjust="spacingAndGlyphs">c</tspan><tspan x="66.4" textLength="25.2" lengthAdjust="spacingAndGlyphs" fill="#ff938a" font-weight="bold">&lt;d></tspan></text>',
    '<text y="47"><tspan x="16" textLength="33.6" lengthAdjust="spacingAndGlyphs">日本</tspan><tspan x="58" textLength="8.4" lengthAdjust="spacingAndGlyphs" fill="#9aa4af">d</tspan></text>',
  ]);
});

test('a picture of the live view has its texts', async () => {
  const session = new LiveSession({ hasColors: true });
  const svg = await terminalSvg(session.screen, 'ots dev');
  session.view.stop();
  expect(svg).toContain('>memcached-operator</tspan>');
  expect(svg).toContain('>CrashLoopBackOff</tspan>');
});
