# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""lit's test format, each test with a temporary directory of its own.

Every mpirun makes $TMPDIR/ompi.HOST.UID and removes it when it is empty; two at a time get into each other's way ("A call
to mkdir was unable to create the desired directory").
"""
import shutil
import tempfile

import lit.formats


class MpiTest(lit.formats.ShTest):
    def execute(self, test, lit_config):
        directory = tempfile.mkdtemp(prefix="mck-")
        test.config.environment = dict(test.config.environment, TMPDIR=directory)
        try:
            return super().execute(test, lit_config)
        finally:
            shutil.rmtree(directory, ignore_errors=True)
