import { generateKeyPairSync, sign } from 'node:crypto';

/** A certificate for 127.0.0.1 that nobody but itself vouches for, made on the spot: no key lies in the project. */
export function selfSigned(): { key: string; cert: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const algorithm = sequence(objectId('2a8648ce3d040302')); // ecdsa-with-SHA256
  const name = sequence(set(sequence(objectId('550403'), tlv(0x0c, Buffer.from('127.0.0.1')))));
  const validity = sequence(utcTime('200101000000Z'), utcTime('491231235959Z'));
  const key = publicKey.export({ type: 'spki', format: 'der' });
  const address = tlv(0x30, tlv(0x87, Buffer.from([127, 0, 0, 1])));
  const altName = sequence(objectId('551d11'), tlv(0x04, address));
  const version = tlv(0xa0, integer(2));
  const body = sequence(
    version,
    integer(1),
    algorithm,
    name,
    validity,
    name,
    key,
    tlv(0xa3, sequence(altName)),
  );
  const signature = tlv(0x03, Buffer.concat([Buffer.of(0), sign('sha256', body, privateKey)]));
  const der = sequence(body, algorithm, signature).toString('base64');
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
    cert: `-----BEGIN CERTIFICATE-----\n${der}\n-----END CERTIFICATE-----\n`,
  };
}

/** One element of ASN.1 DER (X.690 §8.1): its tag, its length, its content. */
function tlv(tag: number, content: Buffer): Buffer {
  const { length } = content;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.of(tag, ...size), content]);
}

const sequence = (...parts: Buffer[]) => tlv(0x30, Buffer.concat(parts));
const set = (...parts: Buffer[]) => tlv(0x31, Buffer.concat(parts));
const integer = (value: number) => tlv(0x02, Buffer.of(value));
const objectId = (hex: string) => tlv(0x06, Buffer.from(hex, 'hex'));
const utcTime = (text: string) => tlv(0x17, Buffer.from(text));
