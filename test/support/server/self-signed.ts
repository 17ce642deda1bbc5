// @peculiar/x509 needs it.
import 'reflect-metadata';
import { KeyObject } from 'node:crypto';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { SubjectAlternativeNameExtension, X509CertificateGenerator } from '@peculiar/x509';
import { onTestFinished } from 'vitest';

/** A certificate for 127.0.0.1 that nobody but itself vouches for, made on the spot: no key lies in the project. */
export async function selfSigned(): Promise<{ key: string; cert: string }> {
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
  const keys = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const certificate = await X509CertificateGenerator.createSelfSigned({
    name: 'CN=127.0.0.1',
    keys,
    signingAlgorithm: algorithm,
    extensions: [new SubjectAlternativeNameExtension([{ type: 'ip', value: '127.0.0.1' }])],
  });
  const key = KeyObject.from(keys.privateKey).export({ type: 'pkcs8', format: 'pem' });
  return { key, cert: certificate.toString('pem') };
}

/** One that this process trusts until the test is over. */
export async function trusted(): Promise<{ key: string; cert: string }> {
  const pair = await selfSigned();
  const before = getCACertificates('default');
  setDefaultCACertificates([...before, pair.cert]);
  onTestFinished(() => setDefaultCACertificates(before));
  return pair;
}
