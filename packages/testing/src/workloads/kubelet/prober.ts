import { goQuote } from 'ots-apimachinery/go/go-quote';
import type { Probe } from 'ots-kubernetes/core/v1';
import type { DeepReadonly } from 'ots-runtime';
import type { Question } from '../images/question.ts';
import type { RunningApplication } from '../images/running-application.ts';
import type { ContainerSpec } from './container-run.ts';
import { inTime } from './in-time.ts';
import type { Kubelet } from './kubelet.ts';
import type { ProbeState } from './probe-state.ts';

/** What a probe found: what is wrong in the words of a kubelet, or undefined for a success. */
export type Finding = string | undefined;

/** Asks an application what a probe of its container asks. */
export async function runProbe(
  { kind, probe }: ProbeState,
  application: RunningApplication,
  { spec, podIP, kubelet }: { spec: ContainerSpec; podIP: string; kubelet: Kubelet },
): Promise<Finding> {
  const question = questionOf(probe, spec, podIP);
  const timeout = (probe.timeoutSeconds ?? 1) * 1000;
  return inTime(application.probe(kind, question), timeout, kubelet, () => lateText(question, timeout));
}

/** What a probe or a hook asks. */
export function questionOf(
  { exec, httpGet, tcpSocket, grpc }: DeepReadonly<Pick<Probe, 'exec' | 'httpGet' | 'tcpSocket' | 'grpc'>>,
  spec: ContainerSpec,
  podIP: string,
): Question {
  if (exec) return { exec: exec.command ?? [] };
  if (grpc) return { grpc: `${podIP}:${grpc.port}` };
  const portOf = (port: string | number = 0) =>
    spec.ports?.find(({ name }) => name === port)?.containerPort ?? port;
  if (!httpGet) return { tcp: `${tcpSocket?.host ?? podIP}:${portOf(tcpSocket?.port)}` };
  const { host = podIP, port, path = '/', scheme = 'HTTP', httpHeaders = [] } = httpGet;
  const headers = httpHeaders.map(({ name, value }) => [name, value] as [string, string]);
  return {
    http: new URL(path, `${scheme.toLowerCase()}://${host}:${portOf(port)}`),
    headers: [['User-Agent', 'kube-probe'], ...headers],
  };
}

function lateText(question: Question, timeout: number): string {
  if ('http' in question)
    return `Get ${goQuote(question.http.href)}: context deadline exceeded (Client.Timeout exceeded while awaiting headers)`;
  if ('exec' in question)
    return `command timed out: ${goQuote(question.exec.join(' '))} timed out after ${timeout / 1000}s`;
  if ('tcp' in question) return `dial tcp ${question.tcp}: i/o timeout`;
  return `timeout: health rpc did not complete within ${timeout / 1000}s`;
}
