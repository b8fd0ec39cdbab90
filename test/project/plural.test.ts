import { expect, test } from 'vitest';
import { pluralOf } from '../../src/project/names/plural.ts';

/** Singulars and plurals; kubebuilder agrees with all of them but those of `corrected`. */
const plurals = `
  Captain captains, JobWatcher jobwatchers, HTTPRoute httproutes, Gateway gateways, Key keys, API apis, S3 s3s,
  Policy policies, NetworkPolicy networkpolicies, Proxy proxies, Query queries, Soliloquy soliloquies,
  Status statuses, Bus buses, Class classes, Ingress ingresses, Address addresses, Virus viruses,
  Batch batches, Patch patches, Mesh meshes, Box boxes, Mutex mutexes, Elasticsearch elasticsearches,
  Analysis analyses, Synthesis syntheses, Basis bases, Quiz quizzes,
  Index indices, Matrix matrices, Vertex vertices, Appendix appendices, Radius radii, Focus foci,
  Person people, Child children, Man men, Mouse mice, Tooth teeth, Goose geese, Ox oxen,
  Leaf leaves, Half halves, Wife wives, Life lives, Wolf wolves, Chef chefs, Roof roofs,
  Hero heroes, Potato potatoes, Photo photos, Repo repos, Datum data, Criterion criteria,
  Schema schemas, Quota quotas, Alias aliases, DNS dnses, Redis redis, Kubernetes kubernetes,
  Data data, Media media, Metadata metadata, Fish fish, Sheep sheep, Species species, News news, Series series,
  Money money, Information information, Equipment equipment, SMS sms, Endpoints endpoints, Captains captains,
  VMs vms, PodChaos podchaos`;
const corrected = `
  Octopus octopuses, HTTPS httpses, Die dies, Stimulus stimuli, Canvas canvases, Atlas atlases, Lens lenses, Gas gases,
  Hardware hardware`;

function pairs(list: string): [kind: string, plural: string][] {
  return list.split(',').map((pair) => {
    const [kind = '', plural = ''] = pair.trim().split(' ');
    return [kind, plural];
  });
}

test.each([...pairs(plurals), ...pairs(corrected)])('%s has the plural %s', (kind, plural) => {
  expect(pluralOf(kind)).toBe(plural);
});

test('changes only the last word', () => {
  expect(pluralOf('PersonPolicy')).toBe('personpolicies');
  expect(pluralOf('Human')).toBe('humans');
  expect(pluralOf('ChildProcess')).toBe('childprocesses');
});
