import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ReadFailure } from '../api/read-failure.tsx';
import { staffQuery } from '../api/staff.ts';
import { usePermission } from '../api/session.ts';
import { Button } from '../components/button.tsx';
import { grouped } from '../components/count.ts';
import { Icon } from '../components/icon.tsx';
import { Notice } from '../components/notice.tsx';
import { PageHeading } from '../components/page-heading.tsx';
import { AddDialog } from './staff-dialogs.tsx';
import { StaffTable } from './staff-table.tsx';
import styles from './staff-page.module.css';

/** Who can sign in to the desk, and as what. */
export function StaffPage() {
  const { allowed, reason } = usePermission('listStaff');
  const staff = useQuery({ ...staffQuery, enabled: allowed });
  return (
    <div className={styles.screen}>
      <title>Staff · Subscriber Desk</title>
      <div className={styles.head}>
        <PageHeading>
          Staff <span className={styles.count}>{staff.data && grouped(staff.data.length)}</span>
        </PageHeading>
        {allowed && <AddStaff />}
      </div>
      {reason && <Notice tone="warn">{reason}</Notice>}
      <ReadFailure what="The accounts" read={staff} />
      {!reason && (staff.data || !staff.isError) && <StaffTable staff={staff.data} />}
    </div>
  );
}

function AddStaff() {
  const [asking, setAsking] = useState(false);
  return (
    <>
      <Button look="primary" onClick={() => setAsking(true)}>
        <Icon name="plus" />
        Add staff
      </Button>
      {asking && <AddDialog onClose={() => setAsking(false)} />}
    </>
  );
}
