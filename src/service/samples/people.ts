import { searchText } from '../../contract/service/search-text.ts';
import type { SeededRandom } from './seeded-random.ts';

const givenNames = (
  'Anaïs Anders Aino Amara Bruno Chiara Chidi Dmitri Eiji Elena Emre Farid Freya Gabriel Giulia ' +
  'Hana Hassan Ines Ivo Jana João Kenji Klára Lars Leila Lucía Magnus Mei Mikael Nadia Ngozi Noor ' +
  'Olga Ørjan Pavel Priya Rafael Renée Rosa Samir Sara Søren Tariq Thandi Tomasz Ursula Viktor ' +
  'Wanjiru Yusuf Zoë'
).split(' ');

const familyNames = (
  'Al-Amin Andersson Åsen Bauer Bianchi Castro Costa Demir Dubois Eriksen Fernández Ferrari García ' +
  'Haddad Hansen Horvat Ivanova Jansen Kaya Kimura Kovács Kowalski Laurent Lindqvist Mbeki Meyer ' +
  'Moreau Müller Mwangi Nakamura Nguyen Novák O’Brien Okafor Okonkwo Olsen Papadakis Patel Petrov ' +
  'Rahman Rossi Sánchez Sato Schmidt Silva Singh Sørensen Tanaka Virtanen Yılmaz'
).split(' ');

/** Names that show whether a page can do more than ASCII. */
const otherScripts = (
  'Ørjan.Åsen 中村.葵 Ольга-К Γιώργος_Π أمين.حداد 김서연 अनिका.शर्मा Zoë_Brontë ŁukaszŻ นภา.ส דנה.לוי ' +
  'Nguyễn.Thảo'
).split(' ');

/** So many usernames, no two the same without regard to case. */
export function inventUsernames(seeded: SeededRandom, count: number): string[] {
  const taken = new Set<string>();
  const names: string[] = [];
  while (names.length < count) {
    const name = names.length % 50 === 13 ? seeded.one(otherScripts) : inventLatin(seeded);
    // The range grows with the number of people, so that a free number is found soon.
    const free = taken.has(searchText(name)) ? `${name}${seeded.whole(2, 90 + names.length)}` : name;
    const before = taken.size;
    if (taken.add(searchText(free)).size > before) names.push(free);
  }
  return names;
}

function inventLatin(seeded: SeededRandom): string {
  const given = plain(seeded.one(givenNames));
  const family = plain(seeded.one(familyNames));
  return seeded.weighted([
    [50, `${given.charAt(0)}.${family}`],
    [15, `${given.charAt(0)}_${family}`],
    [15, `${given}.${family}`],
    [12, `${given}${seeded.whole(1, 99)}`],
    [8, `${family}-${seeded.whole(1970, 2008)}`],
  ]);
}

/** An ASCII address at one of the domains that RFC 2606 keeps for examples. */
export function inventEmail(seeded: SeededRandom, username: string): string {
  const ascii = plain(username).replace(/^[^a-z0-9]+|[^a-z0-9]+$/g, '');
  const mailbox = ascii === '' ? `viewer${seeded.whole(100, 99_999)}` : ascii;
  return `${mailbox}@example.${seeded.one(['com', 'net', 'org'])}`;
}

/** Without accents, in lower case, ASCII only: "Ørjan" → "orjan". */
function plain(name: string): string {
  return name
    .toLowerCase()
    .replaceAll('ø', 'o')
    .replaceAll('ı', 'i')
    .replaceAll('ł', 'l')
    .normalize('NFD')
    .replaceAll(/[^a-z0-9._-]/g, '')
    .replaceAll(/[._-]{2,}/g, '.');
}
