// Writes what is generated from src/controllers/*/descriptor.yaml, and from tables: *.facts.yaml and options.yaml.
import { descriptorFiles } from './descriptors/files';
import { writeGenerated } from './docs/files';

writeGenerated(descriptorFiles(), []);
