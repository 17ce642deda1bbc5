import { useWatch, type Control, type UseFormRegister } from 'react-hook-form';
import type { SubscriberInput } from '../../../contract/service/subscriber-input.ts';
import { fieldLabels } from '../fields/field-labels.ts';
import styles from './delivery-fields.module.css';

/** The flags of a subscriber. */
export function DeliveryFields(props: {
  control: Control<SubscriberInput>;
  register: UseFormRegister<SubscriberInput>;
}) {
  const [hls, mpegTs] = useWatch({ control: props.control, name: ['hls', 'mpegTs'] });
  return (
    <fieldset className={styles.delivery}>
      <legend>Delivery and plan</legend>
      <div className={styles.boxes}>
        {(['hls', 'mpegTs', 'isTrial'] as const).map((name) => (
          <label key={name}>
            <input type="checkbox" {...props.register(name)} />
            {fieldLabels[name]}
          </label>
        ))}
      </div>
      <p className={styles.warning} role="status">
        {!hls && !mpegTs && 'With neither HLS nor MPEG-TS there may be nothing to watch.'}
      </p>
    </fieldset>
  );
}
