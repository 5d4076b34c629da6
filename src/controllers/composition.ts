import { registerControllers } from '../rules/controller-definition';

// The composition root: rules import no controller.
registerControllers(() => require('./index'));
