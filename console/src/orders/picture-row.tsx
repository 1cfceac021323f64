import { Image } from 'antd';
import { Section } from '../figures/details.tsx';
import { Moment } from '../figures/moment.tsx';
import styles from './orders.module.css';

interface PictureRowProps {
  readonly title: string;
  readonly count: number;
  /** `picture` is a data: URL. */
  readonly pictures: readonly {
    readonly id: string;
    readonly picture: string;
    readonly from: string;
    readonly time: string;
  }[];
}

/** Pictures that people added to an order. A click enlarges a picture. */
export function PictureRow({ title, count, pictures }: PictureRowProps) {
  return (
    <Section title={title} count={count}>
      <div className={styles['pictures']}>
        {pictures.map(({ id, picture, from, time }) => (
          <figure key={id}>
            <Image src={picture} width={140} alt={`${from} ${time}`} />
            <figcaption>
              {from} <Moment time={time} exact />
            </figcaption>
          </figure>
        ))}
      </div>
    </Section>
  );
}
