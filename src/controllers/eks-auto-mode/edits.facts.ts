import { advised, type Edit, editFrom, unknown } from '../../contract/edit';
import { DELETION_PROTECTION } from '../aws/annotations';
import { EKS_CATALOGUE, EKS_SOURCE } from './annotations';

/** The controller is closed source, and its documentation names annotations without saying what an edit does. */
const UNSAID = unknown('EKS does not document it');

/** What an edit of an annotation does to a live balancer. */
export const EKS_ANNOTATIOUTCOMESS = new Map(
  EKS_CATALOGUE.annotations.map(({ fact }) => [fact.key, editFrom(UNSAID, fact.source)]),
);

/** AWS deletes no balancer that has the attribute. */
export const EKS_PROTECTED: Edit = editFrom(
  advised(
    unknown(`${DELETION_PROTECTION} is true: whether the controller deletes the balancer all the same`),
    `set ${DELETION_PROTECTION} to false and apply that first`,
  ),
  EKS_SOURCE,
);
