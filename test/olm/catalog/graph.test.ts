import { expect, test } from 'vitest';
import { type ChannelGraph, channelGraphs } from '../../../src/olm/catalog/channel-graph.ts';
import { drawSvg } from '../../../src/olm/catalog/draw-svg.ts';
import { drawText } from '../../../src/olm/catalog/draw-text.ts';
import { parseCatalog } from '../../../src/olm/catalog/read-catalog.ts';
import { brew, channel, deprecations, entry, textOf } from './small-catalog.ts';

function graphOf(entries: readonly Record<string, unknown>[], ...more: unknown[]): ChannelGraph {
  return channelGraphs(parseCatalog('f', textOf([brew, channel(entries), ...more])))[0]!;
}

const upgrades = [
  entry('1.0.0', { replaces: 'brew.v0.9.0' }),
  entry('1.0.1', { replaces: 'brew.v1.0.0' }),
  entry('1.1.0', { replaces: 'brew.v1.0.0', skips: ['brew.v1.0.1'], skipRange: '>=0.5.0 <1.1.0' }),
];

test('text shows the chain from new to old, then what it leaves out', () => {
  const note = deprecations({
    reference: { schema: 'olm.bundle', name: 'brew.v1.0.0' },
    message: 'loses coffee',
  });
  expect(drawText(graphOf(upgrades, note), 80)).toBe(`brew, channel stable (default)

  ◉ brew.v1.1.0  head
  │   skips brew.v1.0.1
  │   skipRange >=0.5.0 <1.1.0
  ● brew.v1.0.0
      replaces brew.v0.9.0
      deprecated: loses coffee
  ○ brew.v1.0.1  skipped by brew.v1.1.0
      replaces brew.v1.0.0
  ◌ brew.v0.9.0  not in the channel
`);
});

test('text fits the width', () => {
  const many = Array.from({ length: 40 }, (_, index) => `brew.v0.${index}.0`);
  const text = drawText(graphOf([entry('1.0.0', { skips: many })]), 60);
  expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThanOrEqual(60);
  expect(many.every((name) => text.includes(name))).toBe(true);
});

test('graphs with cycles, several heads or no entries are drawn', () => {
  const cycle = [entry('1.0.0', { replaces: 'brew.v2.0.0' }), entry('2.0.0', { replaces: 'brew.v1.0.0' })];
  expect(drawText(graphOf(cycle), 80)).toContain('○ brew.v1.0.0\n      replaces brew.v2.0.0\n');
  expect(drawText(graphOf([entry('1.0.0'), entry('2.0.0')]), 80).match(/◉/g)).toHaveLength(2);
  expect(drawText(graphOf([entry('1.0.0', { replaces: 'brew.v1.0.0' })]), 80)).toContain('brew.v1.0.0');
  expect(drawText(graphOf([]), 80)).toContain('no entries');
  for (const entries of [cycle, [], [entry('1.0.0', { replaces: 'brew.v1.0.0' })]])
    expect(drawSvg([graphOf(entries)])).toContain('</svg>');
});

test('SVG has a box for each bundle and an arrow for each upgrade', () => {
  const svg = drawSvg([graphOf(upgrades)]);
  expect(svg.match(/<rect class="box/g)).toHaveLength(4);
  expect(svg.match(/<path class="replaces"/g)).toHaveLength(3);
  expect(svg.match(/<path class="skips"/g)).toHaveLength(1);
  expect(svg).toContain('<title>Upgrade graph: brew stable</title>');
});

test('SVG escapes names, and has no characters that XML forbids', () => {
  const svg = drawSvg([graphOf([{ name: '<script>&"\u0001\u{d800}\u202e' }])]);
  expect(svg).toContain('&lt;script&gt;&amp;&quot;');
  // oxlint-disable-next-line no-control-regex -- they are what must not be there
  expect(svg).not.toMatch(/<script|[\u0000-\u0008\u{d800}-\u{dfff}\u202e]/u);
});

test('edges that overlap get lanes of their own', () => {
  const graph = graphOf([
    entry('2.0.0', { skips: ['brew.v1.0.0', 'brew.v1.1.0'] }),
    entry('1.1.0'),
    entry('1.0.0'),
  ]);
  const lanes = Array.from(drawSvg([graph]).matchAll(/class="skips".*?H(\d+)V/g), ([, x]) => x);
  expect(new Set(lanes).size).toBe(2);
});
