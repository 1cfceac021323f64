import { Alert, Skeleton } from 'antd';
import { useTranslation } from 'react-i18next';
import { endpoints } from 'virtual:endpoints';
import { useCall } from '../http/use-call.ts';

const EVERY_MS = 10_000;

/** Progress of the open review. Without an open one: who signed the last review, and when the next one is due. */
export function ReviewState() {
  const { t } = useTranslation();
  const { data, error } = useCall(
    endpoints.accessReview.getReviewState,
    {},
    { everyMs: EVERY_MS, keepPrevious: true },
  );
  if (error) return <Alert type="warning" showIcon title={error.message} />;
  if (!data) return <Skeleton active title={false} paragraph={{ rows: 1 }} />;
  const { open, lastCloseTime, lastClosedBy, nextTime } = data;
  if (open)
    return (
      <Alert
        role="status"
        type="info"
        showIcon
        title={t('accessReview.state.open', { ...open, time: open.openTime })}
        description={open.todoId !== null && t('accessReview.state.waits')}
      />
    );
  return (
    <Alert
      role="status"
      type="info"
      showIcon
      title={
        lastCloseTime === null
          ? t('accessReview.none')
          : t('accessReview.state.closed', { who: lastClosedBy, time: lastCloseTime })
      }
      description={t('accessReview.state.next', { time: nextTime })}
    />
  );
}
