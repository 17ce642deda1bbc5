import { Badge } from './badge.tsx';

/** A staff member, as answers name them. */
interface Person {
  name: string;
  /** Single sign-on chose the name, so that it may look like that of somebody else. */
  singleSignOn: boolean;
}

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
