import { Link } from '@tanstack/react-router';
import { usePermission } from '../../api/session.ts';
import { Button, buttonClass } from '../../ui/button.tsx';

/** The way to the form, or why there is none. */
export function Edit({ id }: { id: number }) {
  const { allowed, reason } = usePermission('updateSubscriber');
  if (!allowed) return <Button reason={reason ?? 'Not known yet whether you may.'}>Edit</Button>;
  return (
    <Link to="/subscribers/$id/edit" params={{ id }} search={true} className={buttonClass()}>
      Edit
    </Link>
  );
}
