process.chdir(process.env['PROJECT_DIRECTORY']!);
