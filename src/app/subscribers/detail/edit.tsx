import { Link, useNavigate } from '@tanstack/react-router';
import { usePermission } from '../../api/session.ts';
import { Button, buttonClass } from '../../components/button.tsx';
import { useCommands } from '../../components/app-context.ts';

/** The way to the form, or why there is none. */
export function Edit({ id, name }: { id: number; name: string }) {
  const { allowed, reason } = usePermission('updateSubscriber');
  const navigate = useNavigate();
  const run = () => void navigate({ to: '/subscribers/$id/edit', params: { id }, search: true });
  useCommands([allowed && { name: 'Edit', about: name, run }]);
  if (!allowed) return <Button reason={reason ?? 'Not known yet whether you may.'}>Edit</Button>;
  return (
    <Link to="/subscribers/$id/edit" params={{ id }} search={true} className={buttonClass()}>
      Edit
    </Link>
  );
}
