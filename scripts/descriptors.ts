// Writes what is generated from src/controllers/*/descriptor.yaml.
import { descriptorFiles } from './descriptors/files';
import { writeGenerated } from './docs/files';

writeGenerated(descriptorFiles(), []);
