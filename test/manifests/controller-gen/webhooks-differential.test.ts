import { describe, expect, test } from 'vitest';
import { generate } from '../generate.ts';
import { hasGo } from './controller-gen.ts';
import { runOnMarkers } from './run-on-markers.ts';

// The same markers through controller-gen and through ots. What ots refuses and controller-gen does not is in refused-webhooks.ts.
const required = (name: string, mutating: boolean) =>
  `mutating=${mutating},failurePolicy=fail,sideEffects=None,groups=a.example.com,resources=foos,verbs=create;update,versions=v1,name=${name},admissionReviewVersions=v1`;

const markers = [
  `webhook:path=/z,${required('z.kb.io', true)}`,
  `webhook:path=/b,${required('b.kb.io', true)},matchPolicy=equivalent,reinvocationPolicy=ifneeded,timeoutSeconds=7`,
  `webhook:path=/core,mutating=true,failurePolicy=Ignore,sideEffects=noneondryrun,groups=core;apps,resources=pods;deployments/status;*/scale,verbs=CREATE;delete;Connect,versions=v1;v1beta1,name=core.kb.io,admissionReviewVersions=v1;v1beta1`,
  `webhook:path=/all,mutating=false,failurePolicy=ignore,sideEffects=None,groups=*,resources=*,verbs=*,versions=*,name=all.kb.io,admissionReviewVersions={v1,v1beta1}`,
  `webhook:url="https://hooks.example.com/a",${required('url.kb.io', false)},webhookVersions=v1`,
  `webhook:path=/service,${required('service.kb.io', false)},serviceName=other,serviceNamespace=infra,servicePort=8443,matchPolicy=Exact`,
  `webhook:path=/patched,${required('patched.kb.io', false)},timeoutSeconds=3,patch=\`{"timeoutSeconds":null,"failurePolicy":"Ignore","namespaceSelector":{"matchLabels":{"a":"b"},"matchExpressions":[{"key":"tier","operator":"In","values":["x","y"]}]},"matchConditions":[{"name":"c","expression":"true"}],"clientConfig":{"service":{"port":8443}}}\``,
  `webhook:path=/ruled,${required('ruled.kb.io', true)},patch=\`{"objectSelector":{},"rules":[{"apiGroups":[""],"apiVersions":["v1"],"operations":["CREATE"],"resources":["pods"],"scope":"Namespaced"}]}\``,
].map((marker) => `// +kubebuilder:${marker}`);

describe.skipIf(!hasGo)('controller-gen makes the same webhook configurations', () => {
  test.each([
    ['with the usual names', []],
    [
      'with names of their own',
      [
        '// +kubebuilder:webhookconfiguration:mutating=true,name=mine',
        '// +kubebuilder:webhookconfiguration:mutating=false,name=yours.example',
      ],
    ],
  ])('%s', (_, names) => {
    const text = [...names, ...markers].join('\n');
    const theirs = runOnMarkers(text, 'webhook');
    const ours = generate({ 'src/a.ts': `${text}\nexport {};\n` })['config/webhook/manifests.yaml'];
    expect(ours).toEqual(theirs);
    expect(ours!.flatMap(({ webhooks }) => webhooks)).toHaveLength(markers.length);
  });
});
