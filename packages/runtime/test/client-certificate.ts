/**
 * A certificate for clients, signed by itself and valid for a century, from
 * `openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 36500 -subj /CN=kube-apiserver -addext extendedKeyUsage=clientAuth`.
 */
export const clientCertificate = {
  cert: `-----BEGIN CERTIFICATE-----
MIIBnzCCAUSgAwIBAgIUb+pmoMn11hm5Vta+npLYSWv+Ql4wCgYIKoZIzj0EAwIw
GTEXMBUGA1UEAwwOa3ViZS1hcGlzZXJ2ZXIwIBcNMjYxMTIyMDMyNjEwWhgPMjEy
NjEwMjkwMzI2MTBaMBkxFzAVBgNVBAMMDmt1YmUtYXBpc2VydmVyMFkwEwYHKoZI
zj0CAQYIKoZIzj0DAQcDQgAEin2jYSRbuHpa/a5iH/vMq7lnVJWJaOFFwoREAhjn
vwmIsp8WeFfHjdn8Dn4E7ocDNDn8ejHx+xcom/55vMJCm6NoMGYwHQYDVR0OBBYE
FOlnWeFO6Becj9Zwq/DxKj5RntrlMB8GA1UdIwQYMBaAFOlnWeFO6Becj9Zwq/Dx
Kj5RntrlMA8GA1UdEwEB/wQFMAMBAf8wEwYDVR0lBAwwCgYIKwYBBQUHAwIwCgYI
KoZIzj0EAwIDSQAwRgIhAKuUNUNp4yyHaQrFL9kTnnXLe6AReF48qt3w3UksDrEP
AiEAo4txvuh/w5Ic/kcvsoNSxM0gQAE2iR+WOfdCwkmU3aA=
-----END CERTIFICATE-----
`,
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg3KSUQgCfp2dhnsYz
GLcemI8d68uZumIwsV/HOf0GtLqhRANCAASKfaNhJFu4elr9rmIf+8yruWdUlYlo
4UXChEQCGOe/CYiynxZ4V8eN2fwOfgTuhwM0Ofx6MfH7Fyib/nm8wkKb
-----END PRIVATE KEY-----
`,
};
