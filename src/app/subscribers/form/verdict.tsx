import { useWatch, type Control } from 'react-hook-form';
import type { SubscriberInput } from '../../../contract/service/subscriber-input.ts';
import { Notice } from '../../components/notice.tsx';
import { useNow } from '../../components/app-context.ts';
import { nameOfStatus, useStatuses } from '../fields/status-badge.tsx';
import { watchable } from '../fields/watchable.ts';

const fields = [
  'expiresAt',
  'hls',
  'mpegTs',
  'maxConnections',
  'countries',
  'ipAddresses',
  'userAgents',
] as const;

/**
 * Whether the subscriber can watch with what is entered, in the words of the pane; nothing as long as that is no record.
 *
 * @param status as it is saved, which no form changes; null for somebody who is not there yet
 */
export function Verdict({ control, status }: { control: Control<SubscriberInput>; status: number | null }) {
  const now = useNow();
  const statusName = nameOfStatus(status ?? Number.NaN, useStatuses());
  const [expiresAt, hls, mpegTs, maxConnections, countries, ipAddresses, userAgents] = useWatch({
    control,
    name: fields,
  });
  if (Number.isNaN(Date.parse(expiresAt)) || !(maxConnections >= 1)) return null;
  const entered = { expiresAt, hls, mpegTs, maxConnections, countries, ipAddresses, userAgents };
  const { tone, sentence } = watchable(entered, statusName, now);
  return (
    <section aria-label="With what is entered">
      <Notice tone={tone}>{sentence}</Notice>
    </section>
  );
}
