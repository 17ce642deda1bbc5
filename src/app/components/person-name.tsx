import type { Person } from '../../contract/http/shapes.ts';
import { Badge } from './badge.tsx';

/** The name of a staff member, marked where single sign-on chose it. */
export function PersonName({ person: { name, singleSignOn } }: { person: Person }) {
  return (
    <>
      {name}
      {singleSignOn && (
        <>
          {' '}
          <Badge tone="neutral">Single sign-on</Badge>
        </>
      )}
    </>
  );
}

/** The same within a sentence. */
export const nameOfPerson = ({ name, singleSignOn }: Person): string =>
  singleSignOn ? `${name} (single sign-on)` : name;
