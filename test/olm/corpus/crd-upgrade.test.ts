import { readFileSync, readdirSync } from 'node:fs';
import { parse } from 'yaml';
import { expect, test } from 'vitest';
import { unsafeChanges } from '../../../src/olm/upgrade/unsafe-changes.ts';
const dir = '/work/shared/olm/crd-upgrade';
test.each(readdirSync(dir))('%s', (name) => {
  const y = (f: string) => parse(readFileSync(`${dir}/${name}/${f}`, 'utf8'));
  const exp = JSON.parse(readFileSync(`${dir}/${name}/expected.json`, 'utf8'));
  const got = unsafeChanges(y('old.yaml'), y('new.yaml'))
    .map(({ version, path, rule }) =>
      rule === 'existingFieldRemoval'
        ? `${rule}: ${version}.${path}`
        : version === undefined
          ? rule
          : `${version}: ${path}: ${rule}`,
    )
    .toSorted();
  const want = exp.reasons
    .map((r: string) => {
      const m = /^(existingFieldRemoval): removed field : (.*)$/.exec(r);
      if (m) return `${m[1]}: ${m[2]}`;
      const n = /^(\S+(?: -> \S+)?): (\^\S*): (\w+):/.exec(r);
      if (n) return `${n[1]}: ${n[2]}: ${n[3]}`;
      return /^\w+/.exec(r)![0];
    })
    .toSorted();
  expect(got).toEqual(want);
});
