import type { Check } from '../check.ts';

const safe10 = [
  'kernel.shm_rmid_forced',
  'net.ipv4.ip_local_port_range',
  'net.ipv4.tcp_syncookies',
  'net.ipv4.ping_group_range',
  'net.ipv4.ip_unprivileged_port_start',
];
const safe27 = [...safe10, 'net.ipv4.ip_local_reserved_ports'];
const safe29 = [
  ...safe27,
  'net.ipv4.tcp_keepalive_time',
  'net.ipv4.tcp_fin_timeout',
  'net.ipv4.tcp_keepalive_intvl',
  'net.ipv4.tcp_keepalive_probes',
];
const safe32 = [...safe29, 'net.ipv4.tcp_rmem', 'net.ipv4.tcp_wmem'];

export const sysctls10 = checkOf(safe10);
export const sysctls27 = checkOf(safe27);
export const sysctls29 = checkOf(safe29);
export const sysctls32 = checkOf(safe32);

function checkOf(safe: readonly string[]): Check {
  return ({ spec }) => {
    const names = (spec.securityContext?.sysctls ?? []).map(({ name }) => name);
    const unsafe = names.filter((name) => !safe.includes(name));
    return unsafe.length === 0 ? undefined : { reason: 'forbidden sysctls', detail: unsafe.join(', ') };
  };
}
